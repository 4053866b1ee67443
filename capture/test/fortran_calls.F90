! Makes the recorded calls of Fortran on 4 ranks, by mpif.h, `use mpi` or `use mpi_f08`, and writes down the records it
! expects: the same as C's.
program fortran_calls
#if defined(WITH_mpi_f08)
#define COMMUNICATOR type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define STATUS type(MPI_Status)
#define GROUP type(MPI_Group)
    use mpi_f08
    implicit none
#else
#define COMMUNICATOR integer
#define REQUEST integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define GROUP integer
#if defined(WITH_mpi)
    use mpi
    implicit none
#else
    implicit none
    include 'mpif.h'
#endif
#endif
    integer :: rank, ranks, left, right, error, q, i, index, indices(2), done_count, next
    integer, asynchronous :: in(256), out(256)
    integer :: counts(4) = (/ 1, 2, 3, 4 /), places(4) = (/ 0, 1, 3, 6 /)
    integer :: same_counts(4), same_places(4) = (/ 0, 4, 8, 12 /)
    logical :: done
    COMMUNICATOR :: half, copy, grid, row, few, line, ring
    REQUEST :: r(3)
    STATUS :: s
    GROUP :: world, some
    character(1000) :: folder
    character(80) :: text
    character(*), parameter :: sizes = 'n 4 4 8 12 16'

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    left = mod(rank + 3, 4)
    right = mod(rank + 1, 4)
    same_counts = counts(rank + 1)
    call get_command_argument(1, folder)
    write (text, '(a, i5.5, a)') '/r', rank, '.txt'
    open (unit=9, file=trim(folder)//trim(text), action='write')
    write (9, '(a, i0, a)') 'H pmpilog 2 ', rank, ' 4'
    write (9, '(a)') 'C c0 4 0 1 2 3'
    q = 0

    ! Blocking messages.
    if (mod(rank, 2) == 0) then
        call MPI_Send(out, 10, MPI_INTEGER, right, 1, MPI_COMM_WORLD, error)
        call expect('Send c0', (/ right, 40, 1, 0 /))
        call MPI_Ssend(out, 3, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, error)
        call expect('Ssend c0', (/ right, 24, 2, 0 /))
    else
        call MPI_Recv(in, 64, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call expect('Recv c0', (/ left, 40, 1, 0 /), 's')
        call MPI_Recv(in, 64, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, s, error)
        call expect('Recv c0', (/ left, 24, 2, 0 /), 't')
    end if
    call MPI_Sendrecv(out, 5, MPI_INTEGER, right, 5, in, 64, MPI_INTEGER, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, &
                      error)
    call expect('SendrecvS c0', (/ right, 20, 5, 0 /))
    call expect('SendrecvR c0', (/ left, 20, 5, 0 /), '-')
    call MPI_Sendrecv_replace(out, 6, MPI_INTEGER, right, 6, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, s, &
                              error)
    call expect('SendrecvS c0', (/ right, 24, 6, 0 /))
    call expect('SendrecvR c0', (/ left, 24, 6, 0 /), 'st')
    call MPI_Send(out, 7, MPI_BYTE, right, 7, MPI_COMM_WORLD, error)
    call expect('Send c0', (/ right, 7, 7, 0 /))
    call MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call expect('Probe c0', (/ left, 7, 7, 0 /), 's')
    done = .false.
    do while (.not. done)
        call MPI_Iprobe(left, 7, MPI_COMM_WORLD, done, MPI_STATUS_IGNORE, error)
    end do
    call expect('Iprobe c0', (/ left, 7, 7, 0 /), '-')
    call MPI_Recv(in, 7, MPI_BYTE, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call expect('Recv c0', (/ left, 7, 7, 0 /), '-')

    ! Requests, completed in each way.
    do i = 1, 8
        r(1) = MPI_REQUEST_NULL
        call MPI_Irecv(in, 64, MPI_INTEGER, left, 20 + i, MPI_COMM_WORLD, r(2), error)
        call expect('Irecv c0', (/ left, 256, 20 + i, q + 1 /))
        call MPI_Isend(out, i, MPI_INTEGER, right, 20 + i, MPI_COMM_WORLD, r(3), error)
        call expect('Isend c0', (/ right, 4 * i, 20 + i, q + 2 /))
        done = .false.
        if (i == 1) call MPI_Wait(r(2), MPI_STATUS_IGNORE, error)
        if (i == 2) call MPI_Waitany(2, r, index, MPI_STATUS_IGNORE, error)
        if (i == 3) call MPI_Waitsome(2, r, done_count, indices, MPI_STATUSES_IGNORE, error)
        do while (i == 4 .and. .not. done)
            call MPI_Test(r(2), done, MPI_STATUS_IGNORE, error)
        end do
        do while (i == 5 .and. .not. done)
            call MPI_Testany(2, r, index, done, s, error)
        end do
        done_count = 0
        do while (i == 6 .and. done_count == 0)
            call MPI_Testsome(2, r, done_count, indices, MPI_STATUSES_IGNORE, error)
        end do
        do while (i == 7 .and. .not. done)
            call MPI_Testall(3, r, done, MPI_STATUSES_IGNORE, error)
        end do
        call MPI_Waitall(3, r, MPI_STATUSES_IGNORE, error)
        call expect(merge('P', 'T', i >= 4 .and. i <= 7), (/ q + 1, left, 20 + i, 4 * i /))
        call expect(merge('P', 'T', i == 7), (/ q + 2, -1, 20 + i, 4 * i /))
        q = q + 2
    end do

    ! Persistent requests.
    call MPI_Recv_init(in, 64, MPI_INTEGER, left, 40, MPI_COMM_WORLD, r(1), error)
    call MPI_Ssend_init(out, 9, MPI_INTEGER, right, 40, MPI_COMM_WORLD, r(2), error)
    do i = 1, 2
        call MPI_Start(r(1), error)
        call expect('Irecv c0', (/ left, 256, 40, q + 1 /))
        call MPI_Startall(1, r(2:2), error)
        call expect('Issend c0', (/ right, 36, 40, q + 2 /))
        call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, error)
        call expect('T', (/ q + 1, left, 40, 36 /))
        call expect('T', (/ q + 2, -1, 40, 36 /))
        q = q + 2
    end do
    call MPI_Request_free(r(1), error)
    call MPI_Request_free(r(2), error)

    ! Collectives.
    call MPI_Bcast(out, 10, MPI_INTEGER, 2, MPI_COMM_WORLD, error)
    call expect('Bcast c0', (/ 2, 40, 0, 0 /))
    call MPI_Reduce(out, in, 11, MPI_INTEGER, MPI_SUM, 1, MPI_COMM_WORLD, error)
    call expect('Reduce c0', (/ 1, 44, 0, 0 /))
    call MPI_Allreduce(MPI_IN_PLACE, in, 12, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
    call expect('Allreduce c0', (/ -1, 48, 0, 0 /))
    ! What the root contributes may be in place; only mpi_f08 takes both kinds of argument in one program.
#if defined(WITH_mpi_f08)
    if (rank == 3) then
        call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, in, 5, MPI_INTEGER, 3, MPI_COMM_WORLD, error)
    else
        call MPI_Gather(out, 5, MPI_INTEGER, in, 5, MPI_INTEGER, 3, MPI_COMM_WORLD, error)
    end if
#else
    call MPI_Gather(out, 5, MPI_INTEGER, in, 5, MPI_INTEGER, 3, MPI_COMM_WORLD, error)
#endif
    call expect('Gather c0', (/ 3, 20, 0, 0 /))
    call MPI_Gatherv(out, counts(rank + 1), MPI_INTEGER, in, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call expect('Gatherv c0', (/ 0, 4 * counts(rank + 1), 0, 0 /), only_on(0, sizes))
    call MPI_Scatter(out, 6, MPI_INTEGER, in, 6, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
    call expect('Scatter c0', (/ 1, 24, 0, 0 /))
    call MPI_Scatterv(out, counts, places, MPI_INTEGER, in, counts(rank + 1), MPI_INTEGER, 3, MPI_COMM_WORLD, error)
    call expect('Scatterv c0', (/ 3, 4 * counts(rank + 1), 0, 0 /), only_on(3, sizes))
    call MPI_Allgather(out, 7, MPI_INTEGER, in, 7, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect('Allgather c0', (/ -1, 28, 0, 0 /))
    call MPI_Alltoall(out, 8, MPI_INTEGER, in, 8, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect('Alltoall c0', (/ -1, 32, 0, 0 /))
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call expect('Barrier c0', (/ -1, 0, 0, 0 /))

    same_counts = counts(rank + 1)
    call MPI_Allgatherv(out, counts(rank + 1), MPI_INTEGER, in, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect('Allgatherv c0', (/ -1, 4 * counts(rank + 1), 0, 0 /), sizes)
    call MPI_Alltoallv(out, counts, places, MPI_INTEGER, in, same_counts, same_places, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect('Alltoallv c0', (/ -1, 40, 0, 0 /), sizes)
    call MPI_Reduce_scatter(out, in, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect('Reduce_scatter c0', (/ -1, 40, 0, 0 /), sizes)
    call MPI_Reduce_scatter_block(out, in, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect('Reduce_scatter_block c0', (/ -1, 12, 0, 0 /))
    call MPI_Scan(out, in, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect('Scan c0', (/ -1, 16, 0, 0 /))
    call MPI_Exscan(out, in, 5, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect('Exscan c0', (/ -1, 20, 0, 0 /))

    ! Collectives with requests.
    call MPI_Ibarrier(MPI_COMM_WORLD, r(1), error)
    call begun('Ibarrier c0', -1, 0)
    call MPI_Ibcast(out, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, r(1), error)
    call begun('Ibcast c0', 1, 8)
    call MPI_Ireduce(out, in, 3, MPI_INTEGER, MPI_SUM, 2, MPI_COMM_WORLD, r(1), error)
    call begun('Ireduce c0', 2, 12)
    call MPI_Iallreduce(out, in, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r(1), error)
    call begun('Iallreduce c0', -1, 16)
    call MPI_Iscan(out, in, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r(1), error)
    call begun('Iscan c0', -1, 16)
    call MPI_Iexscan(out, in, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r(1), error)
    call begun('Iexscan c0', -1, 16)
    call MPI_Igather(out, 5, MPI_INTEGER, in, 5, MPI_INTEGER, 0, MPI_COMM_WORLD, r(1), error)
    call begun('Igather c0', 0, 20)
    call MPI_Igatherv(out, counts(rank + 1), MPI_INTEGER, in, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, r(1), error)
    call begun('Igatherv c0', 0, 4 * counts(rank + 1), only_on(0, sizes))
    call MPI_Iscatter(out, 6, MPI_INTEGER, in, 6, MPI_INTEGER, 3, MPI_COMM_WORLD, r(1), error)
    call begun('Iscatter c0', 3, 24)
    call MPI_Iscatterv(out, counts, places, MPI_INTEGER, in, counts(rank + 1), MPI_INTEGER, 0, MPI_COMM_WORLD, r(1), error)
    call begun('Iscatterv c0', 0, 4 * counts(rank + 1), only_on(0, sizes))
    call MPI_Iallgather(out, 7, MPI_INTEGER, in, 7, MPI_INTEGER, MPI_COMM_WORLD, r(1), error)
    call begun('Iallgather c0', -1, 28)
    call MPI_Iallgatherv(out, counts(rank + 1), MPI_INTEGER, in, counts, places, MPI_INTEGER, MPI_COMM_WORLD, r(1), error)
    call begun('Iallgatherv c0', -1, 4 * counts(rank + 1), sizes)
    call MPI_Ialltoall(out, 8, MPI_INTEGER, in, 8, MPI_INTEGER, MPI_COMM_WORLD, r(1), error)
    call begun('Ialltoall c0', -1, 32)
    call MPI_Ialltoallv(out, counts, places, MPI_INTEGER, in, same_counts, same_places, MPI_INTEGER, MPI_COMM_WORLD, &
                        r(1), error)
    call begun('Ialltoallv c0', -1, 40, sizes)
    call MPI_Ireduce_scatter(out, in, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r(1), error)
    call begun('Ireduce_scatter c0', -1, 40, sizes)
    call MPI_Ireduce_scatter_block(out, in, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r(1), error)
    call begun('Ireduce_scatter_block c0', -1, 12)

    ! Communicators.
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
    call expect('Comm_split c0', (/ -1, 0, mod(rank, 2), 0 /))
    call MPI_Barrier(half, error)
    call expect('C c1', (/ 2, mod(rank, 2), mod(rank, 2) + 2 /))
    call expect('Barrier c1', (/ -1, 0, 0, 0 /))
    call MPI_Comm_free(half, error)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
    call expect('Comm_split c0', (/ -1, 0, 0, 0 /))
    call MPI_Cart_create(copy, 2, (/ 2, 2 /), (/ .false., .false. /), .false., grid, error)
    call expect('C c2', (/ 4, 0, 1, 2, 3 /))
    call expect('Comm_split c2', (/ -1, 0, 0, 0 /))
    call MPI_Cart_sub(grid, (/ .false., .true. /), row, error)
    call expect('C c3', (/ 4, 0, 1, 2, 3 /))
    call expect('Comm_split c3', (/ -1, 0, 0, 0 /))
    call MPI_Comm_group(MPI_COMM_WORLD, world, error)
    call MPI_Group_incl(world, 3, (/ 3, 1, 0 /), some, error)
    call MPI_Comm_create(MPI_COMM_WORLD, some, few, error)
    call expect('Comm_split c0', (/ -1, 0, 0, 0 /))
    if (rank /= 2) then
        call MPI_Barrier(few, error)
        call expect('C c4', (/ 3, 3, 1, 0 /))
        call expect('Barrier c4', (/ -1, 0, 0, 0 /))
    end if

    if (rank /= 2) then
        call MPI_Comm_create_group(MPI_COMM_WORLD, some, 9, few, error)
        call expect('C c5', (/ 3, 3, 1, 0 /))
        call expect('Comm_split c5', (/ -1, 0, 0, 0 /))
    end if

    ! Neighbours: a line of ranks, and a ring in one direction.
    call MPI_Cart_create(MPI_COMM_WORLD, 1, (/ 4 /), (/ .false. /), .false., line, error)
    call expect('Comm_split c0', (/ -1, 0, 0, 0 /))
    call MPI_Neighbor_alltoallv(out, (/ 2, 3 /), (/ 0, 4 /), MPI_INTEGER, in, (/ 3, 2 /), (/ 0, 4 /), MPI_INTEGER, &
                                line, error)
    next = merge(4, 6, rank == 2)
    call expect('C c' // achar(48 + next), (/ 4, 0, 1, 2, 3 /))
    if (rank == 0) call expect('Neighbor_alltoallv c6', (/ -1, 12, 0, 0 /), 'to 1 1:12 from 1 1')
    if (rank == 1) call expect('Neighbor_alltoallv c6', (/ -1, 20, 0, 0 /), 'to 2 0:8 2:12 from 2 0 2')
    if (rank == 2) call expect('Neighbor_alltoallv c4', (/ -1, 20, 0, 0 /), 'to 2 1:8 3:12 from 2 1 3')
    if (rank == 3) call expect('Neighbor_alltoallv c6', (/ -1, 8, 0, 0 /), 'to 1 2:8 from 1 2')
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (/ left /), (/ 1 /), 1, (/ right /), (/ 1 /), &
                                        MPI_INFO_NULL, .false., ring, error)
    call expect('Comm_split c0', (/ -1, 0, 0, 0 /))
    call MPI_Ineighbor_allgather(out, 5, MPI_INTEGER, in, 5, MPI_INTEGER, ring, r(1), error)
    call expect('C c' // achar(49 + next), (/ 4, 0, 1, 2, 3 /))
    write (text, '(a, i0, a, i0)') 'to 1 ', right, ':20 from 1 ', left
    call begun('Ineighbor_allgather c' // achar(49 + next), -1, 20, trim(text))

    write (9, '(a)') 'FIN'
    close (9)
    call MPI_Finalize(error)

contains

    subroutine expect(record, numbers, behind)
        character(*), intent(in) :: record
        integer, intent(in) :: numbers(:)
        character(*), intent(in), optional :: behind
        character(120) :: fields
        write (fields, '(a, 9(1x, i0))') record, numbers
        if (present(behind)) fields = trim(fields) // ' ' // behind
        write (9, '(a)') trim(fields)
    end subroutine expect

    ! A collective that opens the next request, and its completion.
    subroutine begun(record, peer, bytes, behind)
        character(*), intent(in) :: record
        integer, intent(in) :: peer, bytes
        character(*), intent(in), optional :: behind
        q = q + 1
        call expect(record, (/ peer, bytes, 0, q /), behind)
        call MPI_Wait(r(1), MPI_STATUS_IGNORE, error)
        call expect('T', (/ q, -1, 0, bytes /))
    end subroutine begun

    function only_on(root, text) result(there)
        integer, intent(in) :: root
        character(*), intent(in) :: text
        character(merge(len(text), 0, rank == root)) :: there
        there = text
    end function only_on

end program fortran_calls
