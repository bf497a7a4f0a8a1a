import { Button, Group, Title } from '@mantine/core'
import {
  Component,
  lazy,
  Suspense,
  useEffect,
  useId,
  useRef,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import { useTranslation } from '../translation.ts'
import { isPartMissing, loadPart } from '../load-part.ts'
import { isOutage, ReportedOutage, useAfterOutage } from '../session/outage.ts'
import { ErrorPanel } from './error-panel.tsx'
import { hasUnsavedWork } from './unsaved-work.ts'

interface BoundaryProps {
  render: () => ReactNode
  onFailure: () => void
  renderFailure: (error: unknown, onRetry: () => void) => ReactNode
}

interface BoundaryState {
  failure: { error: unknown } | undefined
}

/** React offers error boundaries only as classes. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error } }
  }

  override state: BoundaryState = { failure: undefined }

  override componentDidCatch() {
    this.props.onFailure()
  }

  override render() {
    const { failure } = this.state
    const { render, renderFailure } = this.props
    return failure ? renderFailure(failure.error, () => this.setState({ failure: undefined })) : render()
  }
}

const reloadedKey = 'tenantry.reloaded'

/**
 * Each part reloads the page only once. A part that is still missing is then reported. Unsaved work prevents the
 * reload.
 */
const mayReload = (error: unknown): error is Error =>
  isPartMissing(error) && !hasUnsavedWork() && sessionStorage.getItem(reloadedKey) !== error.message

/** Reloads the page if an upgrade has replaced the missing part: the new page knows the part's new name. */
const useReload = (error: unknown): void => {
  useEffect(() => {
    if (!mayReload(error)) return
    sessionStorage.setItem(reloadedKey, error.message)
    location.reload()
  }, [error])
}

interface FailedProps {
  error: unknown
  onRetry: () => void
}

/** A part that needed the network loads again after the outage. */
const FailedPart = ({ error, onRetry }: FailedProps) => {
  useReload(error)
  useAfterOutage(() => {
    if (isOutage(error)) onRetry()
  })
  return <ErrorPanel error={error} onRetry={isPartMissing(error) ? () => location.reload() : onRetry} />
}

interface FailedDialogProps extends FailedProps {
  onClose: (() => void) | undefined
}

/** A native dialog, because the code of the console's own window may be what failed to load. */
const FailedDialog = ({ onClose, ...failure }: FailedDialogProps) => {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="failed-part" aria-labelledby={titleId} onClose={onClose}>
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4" id={titleId}>
          {t('common.notLoaded')}
        </Title>
        <Button size="compact-sm" variant="default" onClick={() => dialog.current?.close()}>
          {t('common.close')}
        </Button>
      </Group>
      {/* The window covers the banner that reports the outage. */}
      <ReportedOutage value={undefined}>
        <FailedPart {...failure} />
      </ReportedOutage>
    </dialog>
  )
}

/**
 * Loads a part of the page when it is first shown. Until then it shows `fallback`. Without a fallback, the part is a
 * window over the page. If the part fails to load, the page around it stays.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback?: ReactNode | ((props: Props) => ReactNode),
): FunctionComponent<Props & { onClose?: () => void }> => {
  const Failed = fallback === undefined ? FailedDialog : FailedPart
  const begin = () => lazy(loadPart(async () => ({ default: await load() })))
  let Part = begin()
  // React.lazy remembers a failure, so the next attempt creates another lazy component.
  const renew = (): void => void (Part = begin())
  const LazyPart = (props: Props & { onClose?: () => void }) => (
    <Boundary
      render={() => (
        <Suspense fallback={typeof fallback === 'function' ? fallback(props) : fallback}>
          <Part {...props} />
        </Suspense>
      )}
      onFailure={renew}
      renderFailure={(error, onRetry) => <Failed error={error} onRetry={onRetry} onClose={props.onClose} />}
    />
  )
  return LazyPart
}
