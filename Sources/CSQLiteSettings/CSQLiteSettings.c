#include "CSQLiteSettings.h"

#include <sqlite3.h>

int csqlite_set_up(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
