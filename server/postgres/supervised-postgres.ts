import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

type Options = Omit<Parameters<typeof startEmbeddedPostgres>[0], 'port'>

interface SupervisedPostgres {
  /** Stays the same when the database is restarted, so that clients can reconnect. */
  url: string
  stop: () => Promise<void>
  /** Resolves if the database ended and could not be restarted. Never rejects. */
  lost: Promise<Error>
}

/** Starts the embedded PostgreSQL, and restarts it if it ends unexpectedly. */
export async function supervisePostgres(options: Options): Promise<SupervisedPostgres> {
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres(options)
  const { url } = postgres
  let isStopping = false
  let restarting: Promise<unknown> = Promise.resolve()

  const lost = new Promise<Error>((giveUp) => {
    const watch = async () => {
      const error = await postgres.exited
      if (isStopping || !error) return
      options.log(`${error.message}\nRestarting it.`)
      restarting = startEmbeddedPostgres({ ...options, port: Number(new URL(url).port) }).then((started) => {
        postgres = started
        void watch()
      }, giveUp)
    }
    void watch()
  })

  async function stop() {
    isStopping = true
    await restarting
    await postgres.stop()
  }

  return { url, stop, lost }
}
