import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OwnPassword } from './handover.ts'

const path = '/api/users/me/deletion'

/** Why an account can't be deleted: its person owns the workspace, or a directory manages it. */
export const obstacles = ['owner', 'directory'] as const
export type Obstacle = (typeof obstacles)[number]

export const getDeletion = endpoint({
  method: 'GET',
  path,
  summary: 'Whether I can delete my account, and otherwise why not.',
  reply: z.object({ obstacle: z.nullable(z.enum(obstacles)) }),
})

export const deleteAccount = endpoint({
  method: 'POST',
  path,
  summary:
    'Delete my account, which cannot be undone: all sessions end, and everything that says who I am is erased. What I wrote in conversations with others stays under a neutral name.',
  body: z.object({
    /** My own username, as a confirmation. */
    username: z.string(),
    password: OwnPassword,
  }),
  status: 204,
  reply: z.undefined(),
})
