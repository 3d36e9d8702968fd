"""Large searches among fingerprints: in files, in compressed tables, on clusters. A scan needs none of this.

`dupfinder index` and programs use it."""
