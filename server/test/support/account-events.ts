import { PICTURE } from './fixture.ts'
import { formOf, type Person } from './parley.ts'

let added = 0

interface Scene {
  at: (name: 'root' | 'bob') => Person
}

/** Rows of `event-audiences.test.ts` about the workspace and its people. */
export const accountEvents = {
  'handover:changed': {
    act: async ({ at }: Scene) => {
      const [root, bob] = [at('root'), at('bob')]
      await root.delete('/api/workspace/handover')
      await root.post('/api/workspace/handover', { userId: bob.id, password: root.password })
    },
    is: () => true,
    receivers: { private: ['bob', 'root'] as ('bob' | 'root')[] },
  },
  // People who aren't signed in have no socket: see workspace-name.test.ts.
  'workspace:renamed': {
    act: ({ at }: Scene) => at('root').patch('/api/workspace', { name: 'Acme' }),
    is: () => true,
    receivers: { private: ['ada', 'bob', 'cyd', 'eve', 'root', 'gil', 'gem'] as ('bob' | 'root')[] },
  },
  'emoji:changed': {
    act: ({ at }: Scene) => at('bob').post(`/api/emoji/merry-${added++}`, formOf({ file: new Blob([PICTURE]) })),
    is: () => true,
    receivers: { private: ['ada', 'bob', 'cyd', 'eve', 'root', 'gil', 'gem'] as ('bob' | 'root')[] },
  },
  'notification-settings:changed': {
    act: ({ at }: Scene) => at('bob').patch('/api/notification-settings', { level: 'nothing' }),
    is: () => true,
    receivers: { private: ['bob'] as ('bob' | 'root')[] },
  },
  'later:changed': {
    act: ({ at }: Scene) => at('bob').post('/api/later', { text: 'call the supplier' }),
    is: () => true,
    receivers: { private: ['bob'] as ('bob' | 'root')[] },
  },
  'later:removed': {
    act: async ({ at }: Scene) => {
      const bob = at('bob')
      const { body } = await bob.post('/api/later', { text: 'call the supplier' })
      await bob.delete(`/api/later/${body.id}`)
    },
    is: () => true,
    receivers: { private: ['bob'] as ('bob' | 'root')[] },
  },
  'scheduled:changed': {
    act: async ({ at }: Scene) => {
      const bob = at('bob')
      const { body: channel } = await bob.post('/api/channels', { name: `scheduled-${added++}`, isPrivate: true })
      const sendAt = new Date(Date.now() + 3_600_000).toISOString()
      await bob.post('/api/scheduled-messages', { channelId: channel.id, content: 'good morning', sendAt })
    },
    is: () => true,
    receivers: { private: ['bob'] as ('bob' | 'root')[] },
  },
  'export:finished': {
    act: ({ at }: Scene) => at('bob').post('/api/exports', { scope: 'mine' }),
    is: () => true,
    receivers: { private: ['bob'] as ('bob' | 'root')[] },
  },
  'user:availability_changed': {
    act: ({ at }: Scene) => at('bob').put('/api/users/me/availability', { availability: 'away' }),
    is: () => true,
    receivers: { private: ['bob'] as ('bob' | 'root')[] },
  },
}
