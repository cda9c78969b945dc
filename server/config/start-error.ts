/** Why Parley cannot start. Printed without a stack, so its message is a sentence for the administrator. */
export class StartError extends Error {}

/** The error of a port that cannot be listened on, in a sentence if possible. */
export function portProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new StartError(`Port ${port} is already in use. Set PORT to another one.`)
  if (error.code === 'EACCES') return new StartError(`This account may not use port ${port}. Set PORT to another one.`)
  return error
}
