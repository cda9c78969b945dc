import { useMutation } from '@tanstack/react-query'
import { ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { setAvatar } from '#contract/avatars'
import type { ReplyOf } from '#contract/endpoint'
import { fetchResponse } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Button } from '../../ui/input/button.tsx'
import { notePictures } from '../../ui/pictures.ts'
import { type Crop, drag, MAX_ZOOM, middle, squareOf, zoomTo } from './crop.ts'

/** The side of the uploaded picture, which the server scales down. */
const SIDE = 512
const UPLOAD_TIMEOUT_MS = 60_000
/** How far a key moves the picture, as a share of the square, with Shift and without. */
const STEP = { far: 0.1, near: 0.02 }
const KEY_ZOOM = 1.1

/** Crops my picture from a file; the canvas shows what is uploaded. */
export function AvatarDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const picture = usePictureIn(file, onClose)
  const [crop, setCrop] = useState(middle)
  const canvas = useRef<HTMLCanvasElement>(null)
  const change = (next: (crop: Crop, picture: ImageBitmap) => Crop) => picture && setCrop((now) => next(now, picture))
  const zoomBy = (factor: number) => change((now, size) => zoomTo(now, now.zoom * factor, size))
  const moveBy = (x: number, y: number) => change((now, size) => drag(now, { x, y }, size))
  const pointers = usePointers({ moveBy, zoomBy })

  usePainting(canvas, picture, crop)
  useWheelZoom(canvas, picture, setCrop)
  const { mutate, error, isPending } = useSaving(canvas, onClose)

  function onKeyDown(event: KeyboardEvent) {
    const act = keyActs(event.shiftKey ? STEP.far : STEP.near)[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if ('zoom' in act) zoomBy(act.zoom)
    else moveBy(act.x, act.y)
  }

  return (
    <Dialog
      title={t('users.picture.cropTitle')}
      action={
        <Button variant="pine" disabled={!picture} isBusy={isPending} onClick={() => mutate()}>
          {t('users.picture.use')}
        </Button>
      }
      onClose={onClose}
    >
      <div className="flex flex-col items-center gap-4 px-6 pt-2 pb-4 max-wide:px-(--gutter)">
        <div
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the picture
          tabIndex={0}
          aria-label={t('users.picture.cropLabel')}
          onKeyDown={onKeyDown}
          {...pointers}
          className="size-72 max-w-full cursor-grab touch-none overflow-hidden rounded-[25%] bg-sunk shadow-[0_0_0_1px_var(--line)] active:cursor-grabbing focus-visible:outline-offset-2"
        >
          <canvas ref={canvas} width={SIDE} height={SIDE} className="size-full" />
        </div>
        <ZoomSlider
          zoom={crop.zoom}
          isDisabled={!picture}
          onZoom={(zoom) => change((now, size) => zoomTo(now, zoom, size))}
        />
        <p className="text-center text-faint text-meta">{t('users.picture.cropHint')}</p>
        {error && (
          <p role="alert" className="text-danger text-ui">
            {explainFailure(t('users.picture.failed'), error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface ZoomProps {
  zoom: number
  isDisabled: boolean
  onZoom: (zoom: number) => void
}

function ZoomSlider({ zoom, isDisabled, onZoom }: ZoomProps) {
  return (
    <div className="flex w-72 max-w-full items-center gap-3 text-soft">
      <ZoomOut size={16} className="flex-none" />
      <input
        type="range"
        aria-label={t('users.picture.zoom')}
        min={1}
        max={MAX_ZOOM}
        step={0.01}
        value={zoom}
        disabled={isDisabled}
        onChange={({ target }) => onZoom(Number(target.value))}
        className="h-8 min-w-0 flex-1 accent-pine pointer-coarse:h-11"
      />
      <ZoomIn size={16} className="flex-none" />
    </div>
  )
}

const keyActs = (step: number): Record<string, { x: number; y: number } | { zoom: number }> => ({
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
  '+': { zoom: KEY_ZOOM },
  '=': { zoom: KEY_ZOOM },
  '-': { zoom: 1 / KEY_ZOOM },
})

type CanvasRef = RefObject<HTMLCanvasElement | null>

/** Paints what will be uploaded. */
function usePainting(canvas: CanvasRef, picture: ImageBitmap | undefined, crop: Crop) {
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !picture) return
    const { left, top, side } = squareOf(crop, picture)
    context.fillStyle = '#fff'
    context.fillRect(0, 0, SIDE, SIDE)
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE)
  }, [canvas, picture, crop])
}

function useWheelZoom(
  canvas: CanvasRef,
  picture: ImageBitmap | undefined,
  setCrop: (next: (now: Crop) => Crop) => void,
) {
  useEffect(() => {
    const shown = canvas.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      if (picture) setCrop((now) => zoomTo(now, now.zoom * Math.exp(-event.deltaY / 500), picture))
    }
    // React's own listeners are passive, so they cannot keep the dialog from scrolling.
    shown?.addEventListener('wheel', onWheel, { passive: false })
    return () => shown?.removeEventListener('wheel', onWheel)
  }, [canvas, picture, setCrop])
}

/** Uploads what the canvas shows. */
function useSaving(canvas: CanvasRef, onSaved: () => void) {
  const me = useMe()
  return useMutation({
    mutationFn: async () => {
      const form = new FormData()
      form.set('file', await blobOf(canvas.current as HTMLCanvasElement))
      const response = await fetchResponse(setAvatar, { body: form as never }, { timeoutMs: UPLOAD_TIMEOUT_MS })
      return (await response.json()) as ReplyOf<typeof setAvatar>
    },
    onSuccess: ({ avatarUrl }) => {
      notePictures([{ id: me.id, avatarUrl }])
      onSaved()
    },
    onError: (failure) => console.error('Failed to save a picture:', failure),
  })
}

/** The decoded file, upright. Closes the dialog if the browser cannot open it. */
function usePictureIn(file: File, onClose: () => void) {
  const [picture, setPicture] = useState<ImageBitmap>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file
  useEffect(() => {
    let isGone = false
    let opened: ImageBitmap | undefined
    createImageBitmap(file).then(
      (bitmap) => {
        if (isGone) return bitmap.close()
        opened = bitmap
        setPicture(bitmap)
      },
      (error) => {
        if (isGone) return
        console.error('Failed to open a picture:', error)
        showToast(t('users.picture.unreadable'))
        onClose()
      },
    )
    return () => {
      isGone = true
      opened?.close()
      setPicture(undefined)
    }
  }, [file])
  return picture
}

interface Acts {
  /** By shares of the visible square. */
  moveBy: (x: number, y: number) => void
  zoomBy: (factor: number) => void
}

/** One pointer drags; two also zoom. */
function usePointers({ moveBy, zoomBy }: Acts) {
  const down = useRef(new Map<number, { x: number; y: number }>())
  const end = ({ pointerId }: PointerEvent) => down.current.delete(pointerId)
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId)
      down.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    },
    onPointerMove({ pointerId, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) {
      const before = down.current.get(pointerId)
      if (!before) return
      const now = { x: clientX, y: clientY }
      const [other] = [...down.current].filter(([id]) => id !== pointerId).map(([, at]) => at)
      down.current.set(pointerId, now)
      const side = currentTarget.clientWidth * down.current.size
      moveBy((now.x - before.x) / side, (now.y - before.y) / side)
      if (other) zoomBy(distance(now, other) / Math.max(1, distance(before, other)))
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y)

/** Browsers that cannot write WebP write PNG. */
const blobOf = (canvas: HTMLCanvasElement) =>
  new Promise<Blob>((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty'))), 'image/webp', 0.92),
  )
