#ifndef CSQLITESETTINGS_H
#define CSQLITESETTINGS_H

/// Has SQLite not count the memory that it uses, which takes a lock at every allocation; 0, or SQLite's code where it is
/// in use already. Swift can't call `sqlite3_config`, which takes any number of arguments.
int csqlite_set_up(void);

#endif
