/** Shown while a user types or the assistant thinks. */
export const TypingDots = () => (
  <span className="flex gap-[3px]">
    {['opacity-40', 'opacity-70 [animation-delay:200ms]', '[animation-delay:400ms]'].map((variant) => (
      <span key={variant} className={`size-1 rounded-full bg-faint motion-safe:animate-pulse ${variant}`} />
    ))}
  </span>
)
