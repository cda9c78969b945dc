import type { ComponentProps } from 'react'

type Variant = 'plain' | 'line' | 'pine' | 'danger'

const styles: Record<Variant, string> = {
  plain: 'text-soft hover:bg-hover hover:text-ink active:bg-press',
  line: 'border border-line-strong bg-paper text-ink hover:bg-hover active:bg-press',
  pine: 'bg-pine text-on-pine hover:bg-pine-strong',
  danger: 'bg-danger text-paper hover:bg-danger-strong',
}

interface Props extends ComponentProps<'button'> {
  variant?: Variant
  /** Ignores clicks but keeps the focus, unlike a disabled button. */
  isBusy?: boolean
}

const look =
  'inline-flex h-8 items-center justify-center gap-1.5 rounded-s px-3 font-[550] text-ui whitespace-nowrap transition-colors pointer-coarse:min-h-11 disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50'

/** The look of a button, for links. */
export const buttonClass = (variant: Variant, className: string) => [look, styles[variant], className].join(' ')

export function Button({ variant = 'plain', isBusy = false, className = '', onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      className={buttonClass(variant, className)}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? undefined : onClick}
      {...rest}
    />
  )
}
