import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../i18n/text.ts'
import { copyText } from '../../ui/device/copy-text.ts'
import { Button } from '../../ui/input/button.tsx'

/** A link that is shown only now: the server stores no readable copy. @param path where it leads */
export function CreatedLink({ path, label }: { path: string; label: string }) {
  const link = window.location.origin + path
  const isLocal = /^(localhost|127\.|\[::1\])/.test(window.location.hostname)
  const [isCopied, setCopied] = useState<boolean>()

  const copy = () =>
    copyText(link).then(
      () => setCopied(true),
      (error) => {
        console.error('Failed to copy:', error)
        setCopied(false)
      },
    )

  return (
    <div className="mt-3 rounded-m bg-pine-wash p-3" role="status">
      <p className="mb-2 text-meta text-soft">{t('identity.invites.copyNow')}</p>
      <div className="flex items-center gap-2">
        <input
          readOnly
          dir="ltr"
          aria-label={label}
          value={link}
          onFocus={({ target }) => target.select()}
          className="h-8 min-w-0 flex-1 truncate rounded-s bg-paper px-2 text-ui"
        />
        <Button autoFocus variant="line" className="pointer-coarse:h-11" onClick={copy}>
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
          {isCopied ? t('ui.copied') : t('ui.copy')}
        </Button>
      </div>
      {isLocal && <p className="mt-2 text-pretty text-meta text-soft">{t('identity.invites.localOnly')}</p>}
      {isCopied === false && <p className="mt-2 text-danger text-meta">{t('identity.invites.copyBlocked')}</p>}
    </div>
  )
}
