/** What a process needs to start. */
export interface StartMessage {
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
export interface StopMessage {
  kind: 'stop'
  /** How many processes stop together. */
  total: number
}

/** There is no time to hand clients over. */
export interface HurryMessage {
  kind: 'hurry'
}

/** A TCP connection, which comes with the message. */
export interface ConnectionMessage {
  kind: 'connection'
  /** What was read from it already, in base64. */
  bytes: string
}

/** A TCP connection, which comes with the message, belongs to a live connection of process `to`. */
export interface HandOverMessage extends Omit<ConnectionMessage, 'kind'> {
  kind: 'handOver'
  to: number
}

/** The process serves. */
export interface ReadyMessage {
  kind: 'ready'
}

/** The process stops, and wants no more connections if there are others. */
export interface StoppingMessage {
  kind: 'stopping'
}

/** The process could not start. */
export interface FailedMessage {
  kind: 'failed'
  reason: string
}

export type ToProcess = StartMessage | StopMessage | HurryMessage | ConnectionMessage
export type ToPrimary = ReadyMessage | StoppingMessage | FailedMessage | HandOverMessage
