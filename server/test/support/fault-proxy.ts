import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from './cleanup.ts'

/** A proxy to a local server that can delay traffic, cut it, or swallow it silently. */
export async function startFaultProxy(address: string) {
  const ends = new Set<Socket>()
  let isCut = false
  let delay = 0
  let isFrozen = false
  let isMuted = false
  let target = address
  /** Passes bytes in order, each after the delay, if set; swallows them while frozen. */
  function through(isAnswer = false) {
    let waiting = 0
    let last = Promise.resolve()
    return new Transform({
      transform(chunk, _, pass) {
        if (isFrozen || (isMuted && isAnswer)) return pass()
        if (delay === 0 && waiting === 0) return pass(null, chunk)
        waiting++
        last = Promise.all([last, sleep(delay)]).then(() => {
          waiting--
          if (!this.destroyed) this.push(chunk)
        })
        return pass()
      },
      flush: (done) => void last.then(() => done()),
    })
  }
  const proxy = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(Number(new URL(target).port), '127.0.0.1')
    for (const end of [near, far]) {
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        // While frozen, neither side learns that the other closed.
        if (isFrozen) return
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(through()).pipe(far)
    far.pipe(through(true)).pipe(near)
    return undefined
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = () => {
    isCut = true
    for (const end of ends) end.destroy()
  }
  atEnd(() => {
    isFrozen = false
    cut()
    proxy.close()
  })
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut,
    restore: () => {
      isCut = false
      isFrozen = false
      isMuted = false
    },
    /** Swallows the server's answers; requests still arrive. */
    mute: () => {
      isMuted = true
    },
    freeze: () => {
      isFrozen = true
    },
    /** New connections go to another server. */
    moveTo: (other: string) => {
      target = other
    },
    delayBy: (milliseconds: number) => {
      delay = milliseconds
    },
  }
}
