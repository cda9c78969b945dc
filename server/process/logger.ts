interface LogLine {
  (message: string): void
  (fields: object, message: string): void
}

/** Structured log lines, as pino writes them. An error goes under `err`. */
export type Logger = Record<'debug' | 'info' | 'warn' | 'error', LogLine>
