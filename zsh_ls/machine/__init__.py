"""Facts about the machine: manual pages, programs, memory, disks, processes."""
