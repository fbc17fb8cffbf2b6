// Brings a page to life: no kernel, no server, the state is in the page.

import { bringToLife } from "./live.js";
import { copyButtons } from "./copies.js";
import { startPlayground } from "./playground.js";
import { startProgress } from "./progress.js";

const progress = startProgress();
document.querySelectorAll("figure.swz-live").forEach((figure) => bringToLife(figure, progress));
copyButtons();
startPlayground(document.getElementById("playground"));
