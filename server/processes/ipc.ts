/** What a process needs to start. */
export interface StartCommand {
  kind: 'start'
  /** From 1. */
  number: number
  /** Of processes in all. */
  count: number
  /** Holds the Unix sockets over which the processes reach each other. */
  folder: string
  databaseUrl: string
  secret: string
}

/** Stops a process, because all stop. */
export interface StopCommand {
  kind: 'stop'
  /** How many processes stop together. */
  total: number
}

/** There is no time to hand clients over. */
export interface HurryCommand {
  kind: 'hurry'
}

/** A TCP connection, which is passed along. */
export interface ConnectionParcel {
  kind: 'connection'
  /** What was read from it already, in base64. */
  bytes: string
}

/** A TCP connection, which is passed along and belongs to a live connection of process `to`. */
export interface HandOverParcel extends Omit<ConnectionParcel, 'kind'> {
  kind: 'handOver'
  to: number
}

/** The process serves. */
export interface ReadyReport {
  kind: 'ready'
}

/** The process stops, and wants no more connections if there are others. */
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
