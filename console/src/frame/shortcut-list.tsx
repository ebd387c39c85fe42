import { Modal, Switch } from '@mantine/core'
import { useStore } from '../shared/store.ts'
import { Keys } from './keys.tsx'
import classes from './shortcut-list.module.css'
import { setSingleKeys, singleKeys, useShortcuts } from './shortcuts.ts'

/** All that keys do on the page that is shown. */
export function ShortcutList({ isOpen, close }: { isOpen: boolean; close(): void }) {
  const groups = Map.groupBy(useShortcuts(), ({ group }) => group)
  const isOn = useStore(singleKeys)
  return (
    <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts" size="lg">
      <div className={classes.groups}>
        {[...groups].map(([group, shortcuts]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {shortcuts.map(({ keys, label }) => (
                <div key={keys}>
                  <dt>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        label="Shortcuts of a single key"
        description="Off, only those with Ctrl or Command count."
        checked={isOn}
        onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
      />
    </Modal>
  )
}
