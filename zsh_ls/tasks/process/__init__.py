"""One task's processes: how its shell is started, fed, waited for, and how its end is read."""
