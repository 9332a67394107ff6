// Plays random games with the rules of a module of Rally the Troops, and prints how many a second of
// the processor: node rally.mjs FOLDER NUMBER. A fifth more is played first, unmeasured, until node
// has compiled what it runs.
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, number] = process.argv.slice(2);
const rules = createRequire(import.meta.url)(resolve(folder, "rules.js"));

let chance = 1;
function below(count) {
    chance = (chance * 48271) % 0x7fffffff;
    return Math.floor((chance / 0x7fffffff) * count);
}

// What a role may do now, as pairs of an action and its argument; nothing that takes back.
function choices(game, role) {
    const actions = Object.entries(rules.view(game, role).actions ?? {});
    return actions.flatMap(([action, given]) =>
        action === "undo" || !given ? [] : Array.isArray(given) ? given.map((one) => [action, one]) : [[action]],
    );
}

function play(seed) {
    let game = rules.setup(seed, rules.scenarios[0], {});
    while (game.state !== "game_over") {
        const roles = rules.roles.filter((role) => game.active === "Both" || game.active === role);
        const open = roles.map((role) => [role, choices(game, role)]).filter(([, list]) => list.length);
        if (!open.length) throw new Error(`nobody can do anything in "${game.state}"`);
        const [role, list] = open[below(open.length)];
        game = rules.action(game, role, ...list[below(list.length)]);
    }
}

const games = Number(number);
for (let seed = 1; seed <= games / 5; seed++) play(seed);
const before = process.cpuUsage();
for (let seed = 1; seed <= games; seed++) play(seed);
const { user, system } = process.cpuUsage(before);
console.log((games * 1e6) / (user + system));
