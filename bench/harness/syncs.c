/* Counts the syncs of a process, and makes each take longer: the file that BENCH_SYNCS names holds the count and a delay in microseconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct shared {
  _Atomic uint64_t count;
  _Atomic uint64_t delay_us;
};

static struct shared *shared;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("BENCH_SYNCS");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *place = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (place != MAP_FAILED) shared = place;
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
