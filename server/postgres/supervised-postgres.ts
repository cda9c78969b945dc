import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

type Options = Omit<Parameters<typeof startEmbeddedPostgres>[0], 'port'>

export interface KeptPostgres {
  /** The same for as long as Parley runs: connections find the database again after it had to be started anew. */
  url: string
  stop: () => Promise<void>
  /** Resolves when it ended and could not be started again; never rejects. */
  lost: Promise<Error>
}

/** Starts the embedded PostgreSQL, and starts it again should it end without being asked to. */
export async function supervisePostgres(options: Options): Promise<KeptPostgres> {
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres(options)
  const { url } = postgres
  let stopping = false
  let restarting: Promise<unknown> = Promise.resolve()

  const lost = new Promise<Error>((giveUp) => {
    const watch = async () => {
      const ending = await postgres.exited
      if (stopping || !ending) return
      options.log(`${ending.message}\nStarting it again.`)
      restarting = startEmbeddedPostgres({ ...options, port: Number(new URL(url).port) }).then((started) => {
        postgres = started
        void watch()
      }, giveUp)
    }
    void watch()
  })

  async function stop() {
    stopping = true
    await restarting
    await postgres.stop()
  }

  return { url, stop, lost }
}
