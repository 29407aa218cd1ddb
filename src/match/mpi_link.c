// mpi_link: messages between the copies of the program that mpirun started. The only file that
// knows MPI, and no part of the program itself; see ranks_link.h.
#include "match/ranks_link.h"

#include <limits.h>
#include <mpi.h>

static RanksLink link_here;  // MPI is global itself
static MPI_Message expected; // that `look` has seen
static int expected_size;

static bool send_bytes(void *with, int to, const void *bytes, size_t n) {
    (void)with;
    return n <= INT_MAX && MPI_Send(bytes, (int)n, MPI_BYTE, to, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static int look(void *with, int *from, size_t *n) {
    (void)with;
    int there = 0;
    MPI_Status status;
    if (MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &expected, &status) != MPI_SUCCESS)
        return -1;
    if (!there)
        return 0;
    if (MPI_Get_count(&status, MPI_BYTE, &expected_size) != MPI_SUCCESS || expected_size < 0)
        return -1;
    *from = status.MPI_SOURCE;
    *n = (size_t)expected_size;
    return 1;
}

static bool read_bytes(void *with, void *bytes) {
    (void)with;
    return MPI_Mrecv(bytes, expected_size, MPI_BYTE, &expected, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static void close_link(void *with) {
    (void)with;
    MPI_Finalize();
}

const RanksLink *ludens_ranks_link(void);
const RanksLink *ludens_ranks_link(void) {
    int threads = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &threads) != MPI_SUCCESS ||
        threads < MPI_THREAD_FUNNELED)
        return NULL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    link_here = (RanksLink){.version = RANKS_LINK_VERSION,
                            .send = send_bytes,
                            .look = look,
                            .read = read_bytes,
                            .close = close_link};
    if (MPI_Comm_rank(MPI_COMM_WORLD, &link_here.rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, &link_here.count) != MPI_SUCCESS)
        return NULL;
    return &link_here;
}
