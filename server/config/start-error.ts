/** Why Parley cannot start. Printed without a stack, so its message must be a sentence for administrators. */
export class StartError extends Error {}

/** Unknown host, address of another machine, or unsupported address family. */
const WRONG_HOST = /^(ENOTFOUND|EAI_.*|EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/

/** Turns a failure to listen into a sentence for administrators, if possible. */
export function listenProblem(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  const { code = '' } = error
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} is already in use. Set PORT to another one.`)
  if (code === 'EACCES')
    return new StartError(`This account may not use port ${port}. Set PORT to another one, such as 3000.`)
  if (WRONG_HOST.test(code))
    return new StartError(`HOST must be an address of this machine, such as 0.0.0.0 or 127.0.0.1, not "${host}".`)
  return error
}
