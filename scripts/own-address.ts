import type { Config } from '../server/config/config.ts'

/** Addresses to listen on that are none to connect to. */
const ANY = ['0.0.0.0', '::', '']

/** The address at which this machine reaches a Parley with these settings. */
export const addressToAsk = ({ host }: Pick<Config, 'host'>) => (ANY.includes(host) ? '127.0.0.1' : host)
