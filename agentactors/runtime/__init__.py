"""Everything that speaks to Ray on behalf of callers and hosts: transport, custody, resolution, translation."""
