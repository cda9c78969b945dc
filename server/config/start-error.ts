/** Why Parley cannot start. Printed without a stack, so its message must be a sentence for administrators. */
export class StartError extends Error {}

/** Unknown host, address of another machine, or unsupported address family. */
const WRONG_HOST = /^(ENOTFOUND|EAI_.*|EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/

/** Ports of which systems let only some accounts listen on. */
const FIRST_FREE_PORT = 1024

interface Where {
  host: string
  port: number
  /** The setting of the port. */
  setting?: string
}

/** Turns a failure to listen into a sentence for administrators, if possible. */
export function listenProblem(error: NodeJS.ErrnoException, { host, port, setting = 'PORT' }: Where): Error {
  const { code = '' } = error
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} is already in use. Set ${setting} to another one.`)
  if (code === 'EACCES') {
    const way = port < FIRST_FREE_PORT ? 'Allow it (docs/running/tls.md says how), or set' : 'Set'
    return new StartError(`This account may not use port ${port}. ${way} ${setting} to another one, such as 3000.`)
  }
  if (WRONG_HOST.test(code))
    return new StartError(`HOST must be an address of this machine, such as 0.0.0.0 or 127.0.0.1, not "${host}".`)
  return error
}
