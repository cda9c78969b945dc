/** The database of the outbox: messages under [person, clientId]. */
export const DATABASE_NAME = 'parley'
