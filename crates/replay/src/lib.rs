//! Exact replay of recordings over the program model, with observers, snapshots, what-if runs and inspection.
