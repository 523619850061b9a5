#include <sys/resource.h>

// Takes the place of the C library's function in the whole program. libdispatch asks for a nice value for each worker
// thread whose work is more or less urgent than usual; that needs a right which no service has, and each refusal would
// be a line of standard error that no setting turns off. Nothing else here asks for a priority.
int setpriority(__priority_which_t which, id_t who, int priority) {
    (void)which;
    (void)who;
    (void)priority;
    return 0;
}
