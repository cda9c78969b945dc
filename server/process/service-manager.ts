import { execFile } from 'node:child_process'

/**
 * Tells systemd that Parley is ready, if it waits for that (`Type=notify`). Its own program sends the notification, because Node
 * has no datagram sockets of the file system. Without it, systemd keeps waiting, as its unit says.
 */
export function notifyReady(warn: (sentence: string) => void) {
  if (!process.env['NOTIFY_SOCKET']) return
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error) warn(`systemd could not be told that Parley is ready: ${error.message}`)
  })
}
