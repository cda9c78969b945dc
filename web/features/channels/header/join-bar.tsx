import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '#contract/channels'
import { rich, t } from '../../../i18n/text.ts'
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
              {t('channels.joinFailed')}
            </span>
          ) : (
            rich('channels.previewing', {
              b: (part) => <strong className="font-[600] text-ink">{part}</strong>,
              name: channel.name,
            })
          )}
        </p>
        <Button variant="pine" onClick={enter} disabled={state === 'joining'}>
          {t('channels.joinChannel')}
        </Button>
      </div>
    </div>
  )
}
