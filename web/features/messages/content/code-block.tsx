import { Check, Copy, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type PlainTextId, t } from '../../../i18n/text.ts'
import { copyText } from '../../../ui/device/copy-text.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import type Highlight from './highlight-code.ts'

/** A code block with a copy button. Highlights its code once the highlighter has loaded, if it supports the language. */
export function CodeBlock({ code, language }: { code: string; language: string | undefined }) {
  const highlight = useHighlight(language !== undefined)
  const runs = useMemo(() => language && highlight?.(code, language), [highlight, code, language])
  return (
    <div className="code" data-language={language}>
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: not a part of a form */}
      <pre dir="ltr" role="group" aria-label={t('messages.code.label')} tabIndex={0}>
        <code>
          {runs
            ? runs.map(({ text, className }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: changed code renders anew
                <span key={index} className={className}>
                  {text}
                </span>
              ))
            : code}
        </code>
      </pre>
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <CopyButton text={code} />
    </div>
  )
}

const copyStates = {
  idle: { Icon: Copy, name: 'messages.code.copy' },
  copied: { Icon: Check, name: 'ui.copied' },
  failed: { Icon: TriangleAlert, name: 'messages.code.copyBlocked' },
} as const satisfies Record<string, { Icon: LucideIcon; name: PlainTextId }>

function CopyButton({ text }: { text: string }) {
  const [state, setState] = useState<keyof typeof copyStates>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), state === 'copied' ? 1500 : 5000)
    return () => clearTimeout(timer)
  }, [state])

  async function copy() {
    try {
      await copyText(text)
      setState('copied')
    } catch (error) {
      console.error('Failed to copy:', error)
      setState('failed')
    }
  }

  const { Icon } = copyStates[state]
  const name = t(copyStates[state].name)
  return (
    <>
      <IconButton name={name} className="copy" onClick={copy}>
        <Icon size={15} />
      </IconButton>
      <span role="status" className="sr-only">
        {state !== 'idle' && name}
      </span>
    </>
  )
}

let highlight: typeof Highlight | undefined
let isLoading = false
const waiting = new Set<() => void>()

/** The first block with a language loads the highlighter. After a failure, the next block retries. */
const useHighlight = (isNeeded: boolean) => useSyncExternalStore(isNeeded ? wait : idle, () => highlight, nothing)

const idle = () => () => {}
const nothing = () => undefined

function wait(onLoaded: () => void) {
  waiting.add(onLoaded)
  if (!highlight && !isLoading) void load()
  return () => void waiting.delete(onLoaded)
}

async function load() {
  isLoading = true
  try {
    highlight = (await import('./highlight-code.ts')).default
    for (const onLoaded of waiting) onLoaded()
  } catch (error) {
    console.error('Failed to load the syntax highlighter:', error)
  } finally {
    isLoading = false
  }
}
