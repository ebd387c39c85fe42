/*
 * Preloaded into a process: before each call that changes or syncs a file below $FILE_CALLS_FOLDER, or that sends to a
 * server, it writes a line with the call to descriptor 3, and reads a byte: `k` kills the process, anything else lets it
 * go on. The calls of all threads wait for each other.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { askDescriptor = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];

__attribute__((constructor)) static void start(void) {
  const char *given = getenv("FILE_CALLS_FOLDER");
  if (given) strncpy(folder, given, sizeof folder - 1);
  /* Not for programs that this one starts. */
  unsetenv("LD_PRELOAD");
}

static int isBelow(const char *path) {
  return path && folder[0] && strncmp(path, folder, strlen(folder)) == 0;
}

/** The path of a descriptor below the folder, or `server`; null for others. */
static const char *pathOf(int descriptor, char *buffer) {
  char link[64];
  if (descriptor == askDescriptor) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  if (length < 0) return NULL;
  buffer[length] = 0;
  if (isBelow(buffer)) return buffer;
  struct sockaddr_storage peer;
  socklen_t size = sizeof peer;
  int isSocket = getpeername(descriptor, (struct sockaddr *)&peer, &size) == 0;
  return isSocket && (peer.ss_family == AF_INET || peer.ss_family == AF_INET6) ? "server" : NULL;
}

static void ask(const char *call, const char *path) {
  char line[PATH_MAX + 32], answer = 0;
  int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  syscall(SYS_write, askDescriptor, line, length);
  if (syscall(SYS_read, askDescriptor, &answer, 1) == 1 && answer != 'k') return;
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

#define NEXT(name) \
  static __typeof__(name) *next; \
  if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define ASKED(call, path, made) \
  do { \
    pthread_mutex_lock(&mutex); \
    ask(call, path); \
    __auto_type result = (made); \
    pthread_mutex_unlock(&mutex); \
    return result; \
  } while (0)

#define ON_PATH(type, name, parameters, path, arguments) \
  type name parameters { \
    NEXT(name); \
    if (isBelow(path)) ASKED(#name, path, next arguments); \
    return next arguments; \
  }

#define ON_DESCRIPTOR(type, name, parameters, descriptor, arguments) \
  type name parameters { \
    NEXT(name); \
    char buffer[PATH_MAX]; \
    const char *path = folder[0] ? pathOf(descriptor, buffer) : NULL; \
    if (path) ASKED(#name, path, next arguments); \
    return next arguments; \
  }

ON_PATH(int, rename, (const char *from, const char *to), from, (from, to))
ON_PATH(int, renameat, (int one, const char *from, int other, const char *to), from, (one, from, other, to))
ON_PATH(int, unlink, (const char *path), path, (path))
ON_PATH(int, unlinkat, (int at, const char *path, int flags), path, (at, path, flags))
ON_PATH(int, remove, (const char *path), path, (path))
ON_PATH(int, mkdir, (const char *path, mode_t mode), path, (path, mode))
ON_PATH(int, rmdir, (const char *path), path, (path))
ON_PATH(int, link, (const char *from, const char *to), from, (from, to))
ON_PATH(int, truncate, (const char *path, off_t size), path, (path, size))
ON_PATH(int, chmod, (const char *path, mode_t mode), path, (path, mode))

ON_DESCRIPTOR(ssize_t, write, (int to, const void *bytes, size_t count), to, (to, bytes, count))
ON_DESCRIPTOR(ssize_t, writev, (int to, const struct iovec *parts, int count), to, (to, parts, count))
ON_DESCRIPTOR(ssize_t, pwrite, (int to, const void *bytes, size_t count, off_t at), to, (to, bytes, count, at))
ON_DESCRIPTOR(ssize_t, pwrite64, (int to, const void *bytes, size_t count, off64_t at), to, (to, bytes, count, at))
ON_DESCRIPTOR(ssize_t, pwritev, (int to, const struct iovec *parts, int count, off_t at), to, (to, parts, count, at))
ON_DESCRIPTOR(ssize_t, send, (int to, const void *bytes, size_t count, int flags), to, (to, bytes, count, flags))
ON_DESCRIPTOR(ssize_t, sendmsg, (int to, const struct msghdr *message, int flags), to, (to, message, flags))
ON_DESCRIPTOR(ssize_t, sendfile64, (int to, int from, off64_t *at, size_t count), to, (to, from, at, count))
ON_DESCRIPTOR(ssize_t, copy_file_range, (int from, off64_t *start, int to, off64_t *at, size_t count, unsigned flags), to, (from, start, to, at, count, flags))
ON_DESCRIPTOR(int, ftruncate, (int to, off_t size), to, (to, size))
ON_DESCRIPTOR(int, ftruncate64, (int to, off64_t size), to, (to, size))
ON_DESCRIPTOR(int, fallocate, (int to, int mode, off_t at, off_t size), to, (to, mode, at, size))
ON_DESCRIPTOR(int, fsync, (int descriptor), descriptor, (descriptor))
ON_DESCRIPTOR(int, fdatasync, (int descriptor), descriptor, (descriptor))
ON_DESCRIPTOR(int, fchmod, (int descriptor, mode_t mode), descriptor, (descriptor, mode))

/** Opening a file changes something where it creates or empties it. */
static int changes(const char *path, int flags) {
  return isBelow(path) && ((flags & O_TRUNC) || ((flags & O_CREAT) && access(path, F_OK) != 0));
}

#define OPEN(name, parameters, arguments) \
  int name parameters { \
    NEXT(name); \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    if (changes(path, flags)) ASKED(#name, path, next arguments); \
    return next arguments; \
  }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))
