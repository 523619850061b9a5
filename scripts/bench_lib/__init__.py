"""The parts of the bench: worlds to measure in, rivals to measure against, one function a figure."""
