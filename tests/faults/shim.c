/* Stands between a program and the system's calls that change files, as a preloaded library.

   Before each such call on a path below two folders it asks a function that the program handed over (`faults_arm`) what
   is to happen: nothing, an error, an end without warning, or a write of only half of the bytes and then that end.
   Whatever the function does to files meanwhile is not asked about, so it can act as another program at that moment. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { GO_ON = 0, KILL = -1, HALF = -2 }; /* any positive answer is an error number */

typedef int (*asked_t)(const char *call, const char *path, int changes);

static asked_t asked;
static pid_t armed;
static char folders[2][PATH_MAX];
static __thread int within;

void faults_arm(const char *root, const char *other, asked_t function) {
    strncpy(folders[0], root, PATH_MAX - 1);
    strncpy(folders[1], other, PATH_MAX - 1);
    asked = function;
    armed = getpid();
}

void faults_disarm(void) { armed = 0; }

static const char *path_of(int at, const char *name, char *room) {
    char link[64];
    ssize_t length = 0;
    if (name != NULL && name[0] == '/')
        return name;
    if (at == AT_FDCWD) {
        if (getcwd(room, PATH_MAX) == NULL)
            return NULL;
        length = (ssize_t)strlen(room);
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        length = readlink(link, room, PATH_MAX - 1);
        if (length < 0)
            return NULL;
        room[length] = 0;
    }
    if (name != NULL && (size_t)length + strlen(name) + 2 < PATH_MAX) {
        room[length] = '/';
        strcpy(room + length + 1, name);
    }
    return room;
}

static int is_below(const char *path) {
    int number;
    for (number = 0; number < 2; number++) {
        size_t length = strlen(folders[number]);
        if (length > 0 && strncmp(path, folders[number], length) == 0 && (path[length] == '/' || path[length] == 0))
            return 1;
    }
    return 0;
}

static int meet(const char *call, int at, const char *name, int changes) {
    char room[PATH_MAX];
    const char *path;
    int kept = errno, answer;
    if (armed == 0 || within || armed != getpid())
        return GO_ON;
    within = 1;
    path = path_of(at, name, room);
    answer = GO_ON;
    if (path != NULL && is_below(path))
        answer = asked(call, path, changes);
    within = 0;
    if (answer == KILL)
        kill(getpid(), SIGKILL);
    errno = kept;
    return answer;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define REFUSE(call, at, name, changes)                                                                               \
    do {                                                                                                              \
        int answer_ = meet(call, at, name, changes);                                                                  \
        if (answer_ > 0) {                                                                                            \
            errno = answer_;                                                                                          \
            return -1;                                                                                                \
        }                                                                                                             \
    } while (0)

static int opens_to_change(int flags) { return (flags & (O_CREAT | O_TRUNC)) || (flags & O_ACCMODE) != O_RDONLY; }

#define OPEN(name)                                                                                                    \
    int name(const char *path, int flags, ...) {                                                                      \
        va_list more;                                                                                                 \
        mode_t mode;                                                                                                  \
        va_start(more, flags);                                                                                        \
        mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;                      \
        va_end(more);                                                                                                 \
        REFUSE("open", AT_FDCWD, path, opens_to_change(flags));                                                       \
        return REAL(name)(path, flags, mode);                                                                         \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                  \
    int name(int at, const char *path, int flags, ...) {                                                              \
        va_list more;                                                                                                 \
        mode_t mode;                                                                                                  \
        va_start(more, flags);                                                                                        \
        mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;                      \
        va_end(more);                                                                                                 \
        REFUSE("open", at, path, opens_to_change(flags));                                                             \
        return REAL(name)(at, path, flags, mode);                                                                     \
    }
OPENAT(openat)
OPENAT(openat64)

int rename(const char *from, const char *to) {
    REFUSE("rename", AT_FDCWD, from, 1);
    return REAL(rename)(from, to);
}
int renameat(int at, const char *from, int to_at, const char *to) {
    REFUSE("rename", at, from, 1);
    return REAL(renameat)(at, from, to_at, to);
}
int renameat2(int at, const char *from, int to_at, const char *to, unsigned int flags) {
    REFUSE(flags == 0 ? "rename" : "rename exclusively", at, from, 1);
    return REAL(renameat2)(at, from, to_at, to, flags);
}
int link(const char *from, const char *to) {
    REFUSE("link", AT_FDCWD, to, 1);
    return REAL(link)(from, to);
}
int linkat(int at, const char *from, int to_at, const char *to, int flags) {
    REFUSE("link", to_at, to, 1);
    return REAL(linkat)(at, from, to_at, to, flags);
}
int unlink(const char *path) {
    REFUSE("unlink", AT_FDCWD, path, 1);
    return REAL(unlink)(path);
}
int unlinkat(int at, const char *path, int flags) {
    REFUSE("unlink", at, path, 1);
    return REAL(unlinkat)(at, path, flags);
}
int mkdir(const char *path, mode_t mode) {
    REFUSE("mkdir", AT_FDCWD, path, 1);
    return REAL(mkdir)(path, mode);
}
int mkdirat(int at, const char *path, mode_t mode) {
    REFUSE("mkdir", at, path, 1);
    return REAL(mkdirat)(at, path, mode);
}
int fsync(int descriptor) {
    REFUSE("fsync", descriptor, NULL, 1);
    return REAL(fsync)(descriptor);
}
int fdatasync(int descriptor) {
    REFUSE("fsync", descriptor, NULL, 1);
    return REAL(fdatasync)(descriptor);
}
int fchmod(int descriptor, mode_t mode) {
    REFUSE("fchmod", descriptor, NULL, 1);
    return REAL(fchmod)(descriptor, mode);
}
int fchown(int descriptor, uid_t user, gid_t group) {
    REFUSE("fchmod", descriptor, NULL, 1);
    return REAL(fchown)(descriptor, user, group);
}
int futimens(int descriptor, const struct timespec times[2]) {
    REFUSE("fchmod", descriptor, NULL, 1);
    return REAL(futimens)(descriptor, times);
}

/* A write that is to be cut brings half of its bytes to the file, and then ends the program. */
#define CUT(call, descriptor, done)                                                                                   \
    do {                                                                                                              \
        int answer_ = meet(call, descriptor, NULL, 1);                                                                \
        if (answer_ > 0) {                                                                                            \
            errno = answer_;                                                                                          \
            return -1;                                                                                                \
        }                                                                                                             \
        if (answer_ == HALF) {                                                                                        \
            ssize_t cut_ = (done);                                                                                    \
            (void)cut_;                                                                                               \
            kill(getpid(), SIGKILL);                                                                                  \
        }                                                                                                             \
    } while (0)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    CUT("copy", descriptor, REAL(write)(descriptor, bytes, count / 2));
    return REAL(write)(descriptor, bytes, count);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    CUT("copy", descriptor, REAL(pwrite)(descriptor, bytes, count / 2, offset));
    return REAL(pwrite)(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    CUT("copy", descriptor, REAL(pwrite64)(descriptor, bytes, count / 2, offset));
    return REAL(pwrite64)(descriptor, bytes, count, offset);
}
ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
    CUT("copy", to, REAL(sendfile)(to, from, offset, count / 2));
    return REAL(sendfile)(to, from, offset, count);
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t count) {
    CUT("copy", to, REAL(sendfile64)(to, from, offset, count / 2));
    return REAL(sendfile64)(to, from, offset, count);
}
ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t count, unsigned int flags) {
    CUT("copy", to, REAL(copy_file_range)(from, from_offset, to, to_offset, count / 2, flags));
    return REAL(copy_file_range)(from, from_offset, to, to_offset, count, flags);
}
