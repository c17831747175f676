"""What crosses a border between processes: names, events, commands, choices, records, keys."""
