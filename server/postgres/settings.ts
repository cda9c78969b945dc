/** Settings that initdb needs as well. In many containers /dev/shm has only 64 MB, so files in the data directory are used. */
export const sharedMemory: Record<string, string> =
  process.platform === 'linux' ? { dynamic_shared_memory_type: 'mmap' } : {}

const MIN_CONNECTIONS = 60
/** For backups, `psql`, the owner's lock, and the connections that PostgreSQL reserves for superusers. */
const SPARE_CONNECTIONS = 13

/** `max_connections` if Parley opens up to `connections`. */
export const maxConnections = (connections: number) => Math.max(MIN_CONNECTIONS, connections + SPARE_CONNECTIONS)

/**
 * Settings of the built-in PostgreSQL by name, without the port. They are passed on its command line, so that a new version of
 * Parley can change them for existing databases.
 */
export const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  // ALTER SYSTEM must not disable durability.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // For a small machine with an SSD, and many short queries. The rest stays in the system's cache, which other programs can
  // reclaim. 128 MB doesn't make sends cheaper.
  shared_buffers: '64MB',
  work_mem: '8MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Saves four processes of 2 MB each; reads from the system's cache need no helper.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  huge_pages: 'off',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  ...sharedMemory,
  // One file per day of the week, overwritten a week later.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_timezone: 'UTC',
  log_min_duration_statement: '1s',
  // Messages must not appear in logs.
  log_parameter_max_length: '0',
}
