import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../i18n/text.ts'
import { copyText } from '../../ui/device/copy-text.ts'
import { Button } from '../../ui/input/button.tsx'

interface Props {
  label: string
  text: string
  focusesButton?: boolean
}

/** A text for use in another program, with a button that copies it. */
export function CopiedText({ label, text, focusesButton }: Props) {
  const [isCopied, setCopied] = useState<boolean>()
  const copy = () =>
    copyText(text).then(
      () => setCopied(true),
      (error) => {
        console.error('Failed to copy:', error)
        setCopied(false)
      },
    )
  return (
    <>
      <div className="flex items-center gap-2">
        <input
          readOnly
          dir="ltr"
          aria-label={label}
          value={text}
          onFocus={({ target }) => target.select()}
          className="field-edge h-8 min-w-0 flex-1 truncate rounded-s bg-paper px-2 text-ui pointer-coarse:h-11"
        />
        <Button autoFocus={focusesButton} variant="line" className="pointer-coarse:h-11" onClick={copy}>
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
          {isCopied ? t('ui.copied') : t('ui.copy')}
        </Button>
      </div>
      {isCopied === false && <p className="mt-2 text-danger text-meta">{t('provisioning.copyBlocked')}</p>}
    </>
  )
}
