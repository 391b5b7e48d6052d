"""One game as a page to step through: the table after every event, scores and chances, options with their values."""
