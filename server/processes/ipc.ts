/** What a process needs to start. */
export interface StartCommand {
  kind: 'start'
  /** The number of this process, from 1. */
  number: number
  /** The number of processes. */
  count: number
  /** Folder of the Unix sockets that connect the processes. */
  folder: string
  databaseUrl: string
  secret: string
}

/** Stops a process because all are stopping. */
export interface StopCommand {
  kind: 'stop'
  /** How many processes stop together. */
  total: number
}

/** Skips moving clients to other nodes. */
export interface HurryCommand {
  kind: 'hurry'
}

/** Sent along with a TCP connection. */
export interface ConnectionParcel {
  kind: 'connection'
  /** Bytes already read from it, in base64. */
  bytes: string
}

/** Sent along with a TCP connection that belongs to a live connection of process `to`. */
export interface HandOverParcel extends Omit<ConnectionParcel, 'kind'> {
  kind: 'handOver'
  to: number
}

/** The process is serving. */
export interface ReadyReport {
  kind: 'ready'
}

/** The process is stopping, and should get no new connections if there are others. */
export interface StoppingReport {
  kind: 'stopping'
}

/** The process could not start. */
export interface FailedReport {
  kind: 'failed'
  reason: string
}

export type ToProcess = StartCommand | StopCommand | HurryCommand | ConnectionParcel
export type ToPrimary = ReadyReport | StoppingReport | FailedReport | HandOverParcel
