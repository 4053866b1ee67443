#!/bin/sh
# Runs an experiment on a real Slurm of this machine alone (munged, slurmctld, slurmd with a configuration of their own): a task is killed while
# it simulates, is put into the queue again, and the results are those of `powar experiment` to the byte, with nothing computed twice.
#
#     sh tests/slurm.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar). Exit code 0: all equal, or skipped for want of Slurm; 1: a difference; 2: something
# does not run.
here=$(cd "$(dirname "$0")" && pwd)
powar=$(realpath "${1:-$here/../target/release/powar}")
PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch scontrol; do
    if ! command -v $tool >/dev/null; then
        echo "SKIPPED: no $tool (Debian: slurm-wlm, munge)"
        exit 0
    fi
done
user=$(id -un)
host=$(hostname -s)
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-slurm-XXXXXX") || exit 2
chmod 755 "$work"
stop() {
    for daemon in slurmd ctld munged; do
        [ -f "$work/$daemon.pid" ] && kill "$(cat "$work/$daemon.pid")" 2>/dev/null
    done
    sleep 1
    rm -rf "$work"
}
trap stop EXIT

fail() {
    echo "FAILED: $*"
    tail -n 20 "$work"/cluster/*.txt "$work"/*.log 2>/dev/null
    exit 1
}

# The daemons. A credential's life of 5 seconds is what a task waits before it is tried again.
mkdir "$work/state" "$work/spool"
dd if=/dev/urandom of="$work/munge.key" bs=1 count=1024 2>/dev/null
chmod 400 "$work/munge.key"
munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
    --log-file="$work/munged.log" --seed-file="$work/munge.seed" || exit 2
cat >"$work/slurm.conf" <<END
ClusterName=powar
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/ctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/ctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$work/slurm.conf
slurmctld || exit 2
slurmd || exit 2
tries=60
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "the node of this Slurm is not idle:" && tail -n 5 "$work"/*.log && exit 2; }
    sleep 0.5
done

# Six simulations, some seconds each, in three tasks. A folder's name has what shells and Slurm take apart.
folder="$work/an experiment's 50%"
mkdir "$folder"
file="$folder/small.toml"
cat >"$file" <<END
title = "Small"
[simulation]
topology = "4-ary-2-tree"
traffic = { kind = "synthetic", cycles = 1500000, load = 0.3 }
[[sweep]]
name = "seed"
key = "traffic.seed"
values = [1, 2, 3, 4, 5, 6]
[[figure]]
name = "latency"
title = "Latency"
kind = "lines"
x = "seed"
panels = [{ y = "packet_latency.mean", label = "Latency, cycles" }]
END
cluster="$folder/cluster"
ln -s "$cluster" "$work/cluster"
"$powar" experiment "$file" --slurm "$cluster" --per-task 2 >"$work/said.txt" || fail "no job array was written"
grep -q "6 of 6 simulations are left, in 3 tasks" "$work/said.txt" || fail "said: $(cat "$work/said.txt")"
"$powar" experiment "$file" --collect "$cluster" >/dev/null 2>"$work/error.txt"
[ $? = 2 ] && grep -q "6 of 6 simulations have no result" "$work/error.txt" || fail "collected nothing"

# Waits for an empty queue.
drained() {
    tries=600
    while [ -n "$(squeue -h)" ]; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || fail "the queue is not empty: $(squeue)"
        sleep 0.5
    done
}

# A task is killed in its second simulation.
sbatch "$cluster/small.sbatch" >/dev/null || fail "sbatch"
tries=600
until grep -q simulated "$cluster/log-0.txt" 2>/dev/null; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || fail "no simulation has finished"
    sleep 0.1
done
pkill -KILL -f -- "--task 0/3" || fail "there is no task to kill"
drained
grep -q "Killed" "$cluster/log-0.txt" || fail "task 0 was not killed"

equal() {
    "$powar" experiment "$file" --collect "$cluster" >/dev/null || fail "can't collect $1"
    # Commands that repeat a row name the folder that it is in, quoted for a shell, and a table in Markdown is as wide as they are.
    for name in results.csv results.json results.md; do
        for where in here cluster; do
            sed "s|/$where/|/FOLDER/|g" "$folder/$where/$name" | tr -s ' -' >"$work/$where.txt"
        done
        cmp "$work/here.txt" "$work/cluster.txt" || fail "$name is another $1"
    done
    for name in latency.svg latency.png; do
        cmp "$folder/here/$name" "$cluster/$name" || fail "$name is another $1"
    done
}
"$powar" experiment "$file" --out "$folder/here" >/dev/null 2>&1 || fail "can't run it here"
equal "behind a killed task"
[ "$(cat "$cluster"/log-*.txt | grep -c "^simulated ")" = 6 ] || fail "not every simulation was computed once"

# What is lost is made again, and nothing else.
rm "$(ls "$cluster"/points/*.json | head -n 1)"
"$powar" experiment "$file" --slurm "$cluster" --per-task 2 | grep -q "1 of 6 simulations are left, in 1 tasks" ||
    fail "one simulation was not left"
sbatch "$cluster/small.sbatch" >/dev/null || fail "sbatch of what was left"
drained
equal "behind a second array"
[ "$(cat "$cluster"/log-*.txt | grep -c "^simulated ")" = 7 ] || fail "more than one simulation was computed again"
"$powar" experiment "$file" --slurm "$cluster" | grep -q "All 6 simulations have a result" || fail "something is left"
echo "Slurm $(slurmctld -V | cut -d' ' -f2): equal to the byte, one task killed"
