/* Preloaded: counts and delays a process's syncs. The file BENCH_SYNCS holds the delay in microseconds and the count. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct shared {
  _Atomic uint64_t delay_us;
  _Atomic uint64_t count;
};

static struct shared *shared;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("BENCH_SYNCS");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) shared = memory;
  close(fd);
}

static int synced(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(fd);
  if (shared) {
    atomic_fetch_add(&shared->count, 1);
    uint64_t delay_us = atomic_load(&shared->delay_us);
    if (delay_us) usleep(delay_us);
  }
  return result;
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
