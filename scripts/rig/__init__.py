"""What the demo and the bench have in common: journals, a hub, nodes and their control sockets."""
