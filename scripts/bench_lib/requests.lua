-- What wrk sends to a hub: `wrk -s requests.lua URL -- put|get|patch|static`. Each thread makes keys of its own.

local kind
local thread_number = 0
local made = 0

function setup(thread)
    thread:set("number", thread_number)
    thread_number = thread_number + 1
end

-- A film of 150 bytes.
local function film(count)
    return string.format(
        '{"hasWatched":false,"identifier":"%08x-0000-4000-8000-%012x","title":"A film that is more than long enough to fill its record %011d"}',
        number, count, count)
end

local function key(count)
    return string.format("t%02df%09d", number, count)
end

function init(arguments)
    kind = arguments[1]
    math.randomseed(7 + number)
end

function request()
    made = made + 1
    if kind == "put" then
        return wrk.format("PUT", "/movies/" .. key(made) .. ".json", nil, film(made))
    elseif kind == "get" then
        return wrk.format("GET", "/movies/" .. key(math.random(1, 1000)) .. ".json")
    elseif kind == "static" then
        return wrk.format("GET", "/")
    end
    local members = {}
    for place = 1, 500 do
        made = made + 1
        members[place] = '"' .. key(made) .. '":' .. film(made)
    end
    return wrk.format("PATCH", "/movies.json?print=silent", nil, "{" .. table.concat(members, ",") .. "}")
end

function done(summary, latency)
    local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write
        + summary.errors.timeout
    io.write(string.format("RESULT %d %d %d %d\n", summary.requests, summary.duration, failed, latency:percentile(50)))
end
