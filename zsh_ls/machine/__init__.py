"""Facts of the machine that are neither runs nor memory: manual pages, memory, disks, processes."""
