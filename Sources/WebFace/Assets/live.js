// Keeps an open page as the daemon is: listens to one stream of changes for all pages of this browser, and fetches the
// parts that changed, as the server renders them. Without this file the page reads the same after a reload.
(() => {
  'use strict';

  const stale = document.getElementById('stale');
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel('moviesync') : null;
  const due = new Set();
  const shown = new Map();
  const retryAfter = 3000;
  let seq = Number(document.body.dataset.seq) || 0;
  let source = null;
  let since = null;
  let isFetching = false;

  // Parts

  const partsFor = (section) => [...document.querySelectorAll('[data-live]')]
    .filter((part) => part.dataset.live.split(' ').includes(section));

  function isWrittenIn(part) {
    const at = document.activeElement;
    return part.contains(at) && at.matches('input:not([type=checkbox]):not([type=radio]), textarea, select');
  }

  function show(part, text) {
    if (shown.get(part.id) === text) return;
    shown.set(part.id, text);
    const focused = part.contains(document.activeElement) ? document.activeElement.id : null;
    const open = [...part.querySelectorAll('details[open]')].map((details) => details.id);
    part.innerHTML = text;
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
    if (focused !== null) (document.getElementById(focused) || part).focus({ preventScroll: true });
  }

  async function fetchPart(part) {
    const address = new URL(location.href);
    address.hash = '';
    address.searchParams.set('part', part.id);
    const answer = await fetch(address, { cache: 'no-store' });
    if (answer.status === 401 || answer.status === 404) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    show(part, await answer.text());
  }

  async function refresh() {
    if (isFetching) return;
    isFetching = true;
    try {
      for (let part; (part = [...due].map((id) => document.getElementById(id)).find((one) => one && !isWrittenIn(one)));) {
        due.delete(part.id);
        try {
          await fetchPart(part);
        } catch (error) {
          due.add(part.id);
          throw error;
        }
      }
    } catch {
      setTimeout(refresh, retryAfter);
    } finally {
      isFetching = false;
    }
  }

  function changed(section) {
    for (const part of partsFor(section)) due.add(part.id);
    refresh();
  }

  document.addEventListener('focusout', () => setTimeout(refresh));

  // What is said of the stream

  function showState() {
    stale.hidden = since === null;
    const text = since === null ? '' : `Stale since ${new Date(since).toLocaleTimeString()}: the daemon does not answer.`;
    if (stale.textContent !== text) stale.textContent = text;
  }

  function take(message) {
    if (message.section) {
      seq = message.seq;
      changed(message.section);
    } else if ('since' in message) {
      since = message.since;
      showState();
    } else if ('hello' in message && source) {
      channel.postMessage({ since });
      if (message.hello !== seq) channel.postMessage({ behind: message.hello, seq });
    } else if ('behind' in message && message.behind === seq) {
      seq = message.seq;
      for (const part of document.querySelectorAll('[data-live]')) due.add(part.id);
      refresh();
    }
  }

  function tell(message) {
    take(message);
    channel?.postMessage(message);
  }

  // The stream

  function listen() {
    source = new EventSource(`/live?after=${seq}`);
    source.onopen = () => tell({ since: null });
    source.onmessage = (event) => tell(JSON.parse(event.data));
    source.onerror = () => {
      if (since === null) tell({ since: Date.now() });
      // A stream that was refused is not tried again by the browser.
      if (source && source.readyState === EventSource.CLOSED) setTimeout(() => source && listen(), retryAfter);
    };
  }

  function rest() {
    source?.close();
    source = null;
  }

  if (navigator.locks && channel) {
    // One page of this browser listens for all; when it goes, another one does.
    channel.onmessage = (event) => take(event.data);
    channel.postMessage({ hello: seq });
    navigator.locks.request('moviesync', () => new Promise(listen));
  } else {
    // By a name without TLS there are no locks: only the page that is looked at listens.
    const look = () => (document.visibilityState === 'hidden' ? rest() : source || listen());
    document.addEventListener('visibilitychange', look);
    look();
  }
})();
