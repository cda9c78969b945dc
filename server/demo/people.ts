import { admitToWorkspace } from '../channels/workspace.ts'
import { newId } from '../db/ids.ts'
import { freeUsername } from '../identity/free-username.ts'
import { bumpPeopleVersion } from '../people/deactivate.ts'
import { namedUser } from '../people/looks.ts'
import type { Services } from '../services.ts'
import { lookOfUsername } from '../text/lookalike-names.ts'

/** The company of the demo. The story knows them by these usernames. */
export const demoPeople = [
  { username: 'ada', name: 'Ada Lovelace' },
  { username: 'bob', name: 'Bob Kahn' },
  { username: 'mei', name: '林美' },
  { username: 'tomas', name: 'Tomás Rivera' },
  { username: 'eve', name: 'Eve Adams' },
  { username: 'zoe', name: 'Zoë Lindqvist' },
  { username: 'layla', name: 'ليلى حداد' },
  { username: 'kenji', name: '田中 健二' },
  { username: 'priya', name: 'प्रिया रमन' },
  { username: 'chidi', name: 'Chidi Okafor' },
  { username: 'soren', name: 'Søren Dahl' },
  { username: 'grace', name: 'Grace O’Neill' },
  { username: 'olena', name: 'Олена Коваль' },
  { username: 'nikos', name: 'Νίκος Παππάς' },
  { username: 'noa', name: 'נועה לוי' },
  { username: 'jiwoo', name: '김지우' },
]

export interface DemoPerson {
  id: string
  /** Differs from the story's if somebody has that one already. */
  username: string
}

/** Creates the people of the demo, who can't sign in. Returns them by their usernames in the story. */
export async function createDemoPeople(services: Services): Promise<Map<string, DemoPerson>> {
  const people = new Map<string, DemoPerson>()
  await services.db.transaction().execute(async (tx) => {
    await bumpPeopleVersion(tx)
    for (const person of demoPeople) {
      const id = newId()
      const username = await freeUsername(tx as never, person.username)
      await tx
        .insertInto('users')
        .values({
          id,
          username,
          displayUsername: username,
          usernameLook: lookOfUsername(username),
          ...(await namedUser(tx, person.name)),
          // No mail server accepts this domain (RFC 2606).
          email: `${id}@demo.invalid`,
          emailVerified: false,
          isWelcomed: true,
          isDemo: true,
        })
        .execute()
      people.set(person.username, { id, username })
    }
  })
  for (const { id } of people.values()) await admitToWorkspace(services, id)
  return people
}
