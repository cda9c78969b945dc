import { sql } from 'kysely'
import { type AuditSource, writeAudit } from '../audit/write-audit.ts'
import { AppError, conflict } from '../errors.ts'
import type { Services } from '../services.ts'
import { demoChannels, makeChannel, membersOf } from './channels.ts'
import { withDemoLock } from './demo-lock.ts'
import { canFill, removeDemo } from './empty-demo.ts'
import { greetOwner, letIn } from './greet-owner.ts'
import { createDemoPeople, type DemoPerson, demoPeople } from './people.ts'
import type { Conversation, StoryMessage } from './story.ts'
import { playDemo, readDemoWeek } from './week.ts'

const DAY_MS = 24 * 3600 * 1000

interface By extends AuditSource {
  /** Undefined if nobody owns the workspace yet. */
  ownerId?: string
}

/**
 * Fills a new workspace with a week of a small company. If that fails half way, everything is removed again; if this node dies,
 * the next start does that.
 * @param onBegun called once nothing stands against it
 * @throws AppError 409 `not_new` if people besides the owner have joined, or the demo is there already; `demo_busy`
 */
export async function fillDemo(services: Services, by: By, onBegun = () => {}) {
  const { db, log, pollSoon } = services
  await withDemoLock(db, async (lock) => {
    await removeUnfinished(services)
    await claim(services, by)
    onBegun()
    try {
      await fill(services)
      const ownerId = await readOwner(services)
      if (ownerId) await letIn(services, ownerId)
      const demo = ownerId ? 'greeted' : 'filled'
      // Everybody's page says that it is a demo.
      await lock.updateTable('workspace').set({ demo, nameVersion: sql<number>`"nameVersion" + 1` }).execute()
    } catch (error) {
      await removeUnfinished(services).catch((err) => log.error({ err }, 'could not remove the unfinished demo'))
      throw error
    }
  })
  // Somebody may have founded the workspace at the last moment.
  const ownerId = await readOwner(services)
  if (ownerId) await greetOwner(services, ownerId)
  pollSoon()
}

const readOwner = async ({ db }: Services) =>
  (await db.selectFrom('workspace').select('ownerId').executeTakeFirstOrThrow()).ownerId

/** Removes what a node left behind that died while it filled the workspace, unless another one is filling it now. */
export const tidyDemo = (services: Services) =>
  withDemoLock(services.db, () => removeUnfinished(services)).catch((error) => {
    if (!(error instanceof AppError) || error.code !== 'demo_busy') throw error
  })

async function removeUnfinished({ db }: Services) {
  const { demo } = await db.selectFrom('workspace').select('demo').executeTakeFirstOrThrow()
  if (demo === 'filling') await db.transaction().execute(removeDemo)
}

async function fill(services: Services) {
  const people = await createDemoPeople(services)
  const { startsAt, conversations } = readDemoWeek(Date.now())
  const channels = await createDemoChannels(services, people, new Date(startsAt - DAY_MS))
  const ids = new Map([...people.values()].map(({ id, username }) => [username, id]))
  await playDemo(services, castStory(conversations, people), ids, channels)
}

/** Notes that the workspace is being filled, unless it is in use. */
async function claim({ db }: Services, { ownerId, ...source }: By) {
  await db.transaction().execute(async (tx) => {
    if (!(await canFill(tx, ownerId))) throw conflict('not_new', 'errors.demoNotNew')
    await tx
      .updateTable('workspace')
      // Until the owner has chosen, after the demo.
      .set({ demo: 'filling', signUp: sql<string>`coalesce("signUp", 'invite')` })
      .execute()
    await writeAudit(tx, { kind: 'demo_filled', actorId: ownerId ?? null, ...source })
  })
}

/** Returns the ids of the channels by their names in the story. */
async function createDemoChannels({ db, pool }: Services, people: Map<string, DemoPerson>, createdAt: Date) {
  const ids = [...people.values()].map(({ id }) => id)
  const general = await db.selectFrom('workspace').select('generalId as id').executeTakeFirstOrThrow()
  const channels = new Map([['general', general.id]])
  for (const [index, plan] of demoChannels.entries()) {
    const members = membersOf(plan, index + 1, ids)
    const name = await freeName(db, plan.name)
    channels.set(plan.name, await makeChannel(pool, { ...plan, name }, members, createdAt))
  }
  await db
    .updateTable('channels')
    .set({ isDemo: true })
    .where('id', 'in', [...channels.values()])
    .where('id', '!=', general.id)
    .execute()
  return channels
}

/** The name, or the name with `-demo` if the owner has a channel of that name. */
async function freeName(db: Services['db'], name: string) {
  const taken = await db
    .selectFrom('channels')
    .select('id')
    .where(sql`lower(name)`, '=', name)
    .where('kind', '!=', 'direct')
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return taken ? `${name}-demo` : name
}

/** The story with the usernames that its people have in this workspace. */
export function castStory(
  conversations: Conversation[],
  people: ReadonlyMap<string, Pick<DemoPerson, 'username'>>,
): Conversation[] {
  if (demoPeople.every(({ username }) => people.get(username)?.username === username)) return conversations
  const as = (username: string) => people.get(username)?.username ?? username
  const cast = (message: StoryMessage): StoryMessage => ({
    ...message,
    username: as(message.username),
    content: message.content.replaceAll(/(?<=(?:^|[^\w@.])@)[a-z]+\b/g, as),
    reactions: message.reactions.map((it) => ({ ...it, usernames: it.usernames.map(as) })),
    replies: message.replies.map(cast),
  })
  return conversations.map((it) => ({
    ...it,
    direct: it.direct.map(as),
    messages: it.messages.map(cast),
    away: it.away.map((one) => ({ ...one, username: as(one.username) })),
  }))
}
