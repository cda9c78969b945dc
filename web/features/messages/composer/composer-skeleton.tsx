/** As high as an empty composer; shown until the channel has loaded. */
export const ComposerSkeleton = () => (
  <div aria-hidden="true" className="composer-place">
    <div className="h-20 rounded-l border border-line bg-raised pointer-coarse:h-[94px] max-wide:pointer-coarse:h-12! short:h-[66px] short:pointer-coarse:h-20" />
  </div>
)
