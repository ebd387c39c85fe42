import { it } from 'node:test'
import { cases } from '../harness/extent.ts'
import { passRecipe } from '../processes/recipes.ts'

// The other languages, and what happens to a store when its test run is killed: npm run test:recipes.

for (const name of cases(['js', 'bash'], { quickEvery: 2 })) {
  it(`the recipe in ${name} passes, and leaves no store`, async () => {
    await passRecipe(name)
  })
}
