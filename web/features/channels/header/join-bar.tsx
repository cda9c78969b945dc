import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '#contract/channels'
import { Button } from '../../../ui/input/button.tsx'
import { join } from '../cache/join.ts'

/** Replaces the composer, at the same height, for readers of a public channel who are not members. Lazy-loaded. */
export default function JoinBar({ channel }: { channel: Channel }) {
  const client = useQueryClient()
  const [state, setState] = useState<'idle' | 'joining' | 'failed'>('idle')

  function enter() {
    setState('joining')
    join(client, channel.id).catch((error) => {
      console.error('Failed to join channel:', error)
      setState('failed')
    })
  }

  return (
    <div className="composer-place">
      <div className="flex min-h-20 flex-wrap items-center gap-3 rounded-l border border-line bg-sunk px-4 py-3 text-soft text-ui short:min-h-0">
        <p className="min-w-0 flex-1">
          {state === 'failed' ? (
            <span role="alert" className="text-danger">
              Failed to join channel. Try again.
            </span>
          ) : (
            <>
              You're previewing <strong className="font-[600] text-ink">#{channel.name}</strong>. Join to send messages.
            </>
          )}
        </p>
        <Button variant="pine" onClick={enter} disabled={state === 'joining'}>
          Join channel
        </Button>
      </div>
    </div>
  )
}
